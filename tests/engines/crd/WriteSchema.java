import io.fabric8.crd.generator.CRDGenerator;
import java.io.File;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;

/** Writes FlinkDeployment's custom resource definition, as the operator's own build does, into a folder. */
public final class WriteSchema {
    public static void main(String[] arguments) {
        new CRDGenerator()
                .customResourceClasses(FlinkDeployment.class)
                .forCRDVersions("v1")
                .inOutputDir(new File(arguments[0]))
                .generate();
    }
}
